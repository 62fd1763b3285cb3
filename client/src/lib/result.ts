// Who has won, addressed to the reader.
import { list, t } from './i18n.svelte';
import type { TableState } from './table.svelte';

export function winnersText(room: TableState): string {
  const winners = room.table?.result?.winners ?? [];
  const others = winners.filter((seat) => seat !== room.words.reader).map((seat) => room.names[seat] ?? '');
  if (others.length === winners.length) return t('end.winners', { names: list(others), count: winners.length });
  return others.length ? t('end.you-win-with', { names: list(others) }) : t('end.you-win');
}
