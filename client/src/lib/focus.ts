// Traps the focus inside a dialog, and restores it afterwards.
const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex]:not([tabindex="-1"])';

export function trap(node: HTMLElement): () => void {
  const before = document.activeElement as HTMLElement | null;
  const inside = (): HTMLElement[] => [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.getClientRects().length > 0);
  const first = node.querySelector<HTMLElement>('[data-autofocus]') ?? inside()[0] ?? node;
  first.focus({ preventScroll: true });
  const keydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    const all = inside();
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge && node.contains(document.activeElement)) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  node.addEventListener('keydown', keydown);
  // The focused button may go, or be disabled: without focus the dialog would not hear any keys.
  const observer = new MutationObserver(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body || (node.contains(focused) && focused.matches(':disabled'))) node.focus({ preventScroll: true });
  });
  observer.observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    observer.disconnect();
    node.removeEventListener('keydown', keydown);
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
}

/** Whether a key belongs to a text field rather than to a shortcut. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target?.closest('input, textarea, select, [contenteditable]');
}

/** Whether there may be a keyboard: touch-only devices hardly ever have one. */
export const hasKeys = (): boolean => matchMedia('(any-pointer: fine)').matches;
