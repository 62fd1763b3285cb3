// Paragraphs in a box of fixed height: what does not fit is cut off after a whole line, the last paragraph first.

/** How many lines of a paragraph stay when this many pixels are too many; at least one. */
export const keptLines = (height: number, line: number, excess: number): number => Math.max(1, Math.round(height / line) - Math.ceil(excess / line));

/** Fits the paragraphs of an element into its parent, and reports whether something had to be cut off. */
export function fitted(report: (cut: boolean) => void): (box: HTMLElement) => () => void {
  return (box) => {
    const room = box.parentElement!;
    const fit = (): void => {
      if (getComputedStyle(box).position === 'absolute') return; // all of it is shown
      const paragraphs = [...box.querySelectorAll<HTMLElement>(':scope > p')];
      for (const one of paragraphs) one.style.maxHeight = '';
      let excess = box.offsetHeight - room.clientHeight;
      const cut = excess > 1;
      for (const one of paragraphs.reverse()) {
        if (excess <= 1) break;
        const line = parseFloat(getComputedStyle(one).lineHeight);
        const before = one.offsetHeight;
        const after = keptLines(before, line, excess) * line;
        if (after >= before) continue;
        one.style.maxHeight = `${after}px`;
        excess -= before - after;
      }
      report(cut);
    };
    const resized = new ResizeObserver(fit);
    resized.observe(room);
    const changed = new MutationObserver(fit);
    changed.observe(box, { childList: true, subtree: true, characterData: true, attributeFilter: ['class'] });
    fit();
    void document.fonts.ready.then(fit);
    return () => {
      resized.disconnect();
      changed.disconnect();
    };
  };
}
