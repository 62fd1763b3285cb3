// The little Markdown that the rules texts use, as a tree: it is drawn with elements, never as HTML text,
// so nothing in a text can become markup.
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'em'; parts: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; parts: Inline[] };

export type Block =
  | { kind: 'heading'; level: number; parts: Inline[]; anchor: string | null }
  | { kind: 'paragraph'; parts: Inline[]; anchor: string | null }
  | { kind: 'list'; ordered: boolean; items: { parts: Inline[]; inner: Block[] }[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

const ANCHOR = /^<!--\s*anchor:\s*([\w-]+)\s*-->$/;
const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;
const SPAN = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)\s]+)\)/;

export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let found = SPAN.exec(rest); found; found = SPAN.exec(rest)) {
    if (found.index > 0) parts.push({ kind: 'text', text: rest.slice(0, found.index) });
    const [whole, , code, strong, em, label, href] = found;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', parts: inline(strong) });
    else if (em !== undefined) parts.push({ kind: 'em', parts: inline(em) });
    else if (safe(href!)) parts.push({ kind: 'link', href: href!, parts: inline(label!) });
    else parts.push(...inline(label!));
    rest = rest.slice(found.index + whole.length);
  }
  if (rest) parts.push({ kind: 'text', text: rest });
  return parts;
}

function safe(href: string): boolean {
  return /^(https?:\/\/|\/(?!\/)|#)/.test(href);
}

const cells = (line: string): string[] => line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim());

export function markdown(text: string): Block[] {
  const lines = text.replace(/\r/g, '').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  let anchor: string | null = null;

  const paragraph = (): void => {
    const words: string[] = [];
    while (at < lines.length && lines[at]!.trim() && (words.length === 0 || !opens(lines[at]!))) words.push(lines[at++]!.trim());
    blocks.push({ kind: 'paragraph', parts: inline(words.join(' ')), anchor });
    anchor = null;
  };

  while (at < lines.length) {
    const line = lines[at]!;
    const named = ANCHOR.exec(line.trim());
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (!line.trim()) at += 1;
    else if (named) {
      // An anchor stands under its heading, or before a paragraph of its own.
      const last = blocks.at(-1);
      if (last?.kind === 'heading' && last.anchor === null) last.anchor = named[1]!;
      else anchor = named[1]!;
      at += 1;
    } else if (line.trim().startsWith('<!--')) at += 1;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]!.length, parts: inline(heading[2]!), anchor });
      anchor = null;
      at += 1;
    } else if (line.startsWith('```')) {
      const code: string[] = [];
      for (at += 1; at < lines.length && !lines[at]!.startsWith('```'); at += 1) code.push(lines[at]!);
      at += 1;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (ITEM.test(line)) blocks.push(list(0));
    else if (line.trim().startsWith('|') && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[at + 1] ?? '')) table();
    else paragraph();
  }
  return blocks;

  function list(depth: number): Block {
    const items: { parts: Inline[]; inner: Block[] }[] = [];
    const ordered = /^\s*\d/.test(lines[at]!);
    while (at < lines.length) {
      const item = ITEM.exec(lines[at]!);
      if (!item || item[1]!.length < depth) break;
      if (item[1]!.length > depth && items.length > 0) {
        items.at(-1)!.inner.push(list(item[1]!.length));
        continue;
      }
      const words = [item[3]!];
      for (at += 1; at < lines.length && lines[at]!.trim() && !opens(lines[at]!); at += 1) words.push(lines[at]!.trim());
      items.push({ parts: inline(words.join(' ')), inner: [] });
      if (!lines[at]?.trim() && ITEM.test(lines[at + 1] ?? '')) at += 1;
    }
    return { kind: 'list', ordered, items };
  }

  function table(): void {
    const head = cells(lines[at]!).map(inline);
    const rows: Inline[][][] = [];
    for (at += 2; at < lines.length && lines[at]!.trim().startsWith('|'); at += 1) rows.push(cells(lines[at]!).map(inline));
    blocks.push({ kind: 'table', head, rows });
  }
}

function opens(line: string): boolean {
  return ITEM.test(line) || /^#{1,6}\s/.test(line) || line.startsWith('```') || line.trim().startsWith('|') || line.trim().startsWith('<!--');
}
