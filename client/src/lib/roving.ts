// Roving focus: arrow keys move between the controls of a group; Tab enters and leaves it.

export function roving(node: HTMLElement): { destroy: () => void } {
  const stops = (): HTMLElement[] => [...node.querySelectorAll<HTMLElement>('[data-stop]')];
  function key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = stops();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step === undefined ? -1 : (at + step + all.length) % all.length;
    if (to < 0) return;
    event.preventDefault();
    all[to]?.focus();
  }
  node.addEventListener('keydown', key);
  return { destroy: () => node.removeEventListener('keydown', key) };
}
