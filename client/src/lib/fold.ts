// Marks a scrolling element with `data-more` as long as there is more below its lower edge (`.fold-sign` in ui.css).
const SLACK = 12;

export function foldable(box: HTMLElement): () => void {
  const update = (): void => void box.toggleAttribute('data-more', box.scrollHeight - box.clientHeight - box.scrollTop > SLACK);
  const observer = new ResizeObserver(update);
  const watch = (): void => [box, ...box.children].forEach((one) => observer.observe(one));
  const children = new MutationObserver(() => (watch(), update()));
  watch();
  children.observe(box, { childList: true });
  box.addEventListener('scroll', update, { passive: true });
  return () => {
    observer.disconnect();
    children.disconnect();
    box.removeEventListener('scroll', update);
  };
}
