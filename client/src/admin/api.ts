// The host's part of the HTTP API.
import { request } from '../lib/api';

export interface PersonView {
  who: string;
  name: string;
  account: string | null;
  created: number;
  banned: boolean;
  admin: boolean;
}
export interface BanView {
  number: number;
  kind: 'person' | 'network';
  value: string;
  name: string;
  reason: string;
  at: number;
  until: number | null;
  by: string;
  active: boolean;
}
export interface TableView {
  id: string;
  game: string;
  status: string;
  public: boolean;
  created: number;
  updated: number;
  names: (string | null)[];
  people: (string | null)[];
}
export interface Line {
  number: number;
  at: number;
  who: string;
  name: string;
  text: string;
}
export interface ReportView {
  number: number;
  at: number;
  reporter: string;
  reporter_name: string;
  who: string;
  name: string;
  table: string;
  reason: 'chat' | 'name' | 'cheating' | 'leaving' | 'other';
  text: string;
  line: number | null;
  chat: Line[];
  resolved: number | null;
  resolved_by: string;
  resolution: string;
}
export interface QuarantineView {
  table: string;
  game: string;
  at: number;
  row: number;
  problem: string;
}
export interface ActionView {
  number: number;
  at: number;
  by: string;
  action: string;
  target: string;
  detail: string;
}
export interface PersonDetails {
  person: PersonView;
  bans: BanView[];
  tables: TableView[];
  ratings: Record<string, number>;
}
export interface Stats {
  people: number;
  accounts: number;
  tables: Record<string, number>;
  games: Record<string, Record<string, number>>;
  open_reports: number;
  bans: number;
  bytes: number;
}
export interface NewBan {
  who?: string;
  network?: string;
  reason: string;
  hours: number | null;
  addresses?: boolean;
}

/** The number of items on a full page. */
export const PAGE = 50;
const at = encodeURIComponent;

export const admin = {
  stats: () => request<Stats>('GET', '/api/admin/stats'),
  people: (text: string, page: number) => request<PersonView[]>('GET', `/api/admin/people?text=${at(text)}&page=${page}`),
  person: (who: string) => request<PersonDetails>('GET', `/api/admin/people/${at(who)}`),
  rename: (who: string, name: string) => request<PersonView>('PATCH', `/api/admin/people/${at(who)}`, { name }),
  tables: (status: string, page: number) => request<TableView[]>('GET', `/api/admin/tables?status=${status}&page=${page}`),
  close: (id: string) => request<TableView>('POST', `/api/admin/tables/${at(id)}/close`, {}),
  bans: () => request<BanView[]>('GET', '/api/admin/bans'),
  ban: (ban: NewBan) => request<BanView>('POST', '/api/admin/bans', ban),
  unban: (number: number) => request<BanView>('DELETE', `/api/admin/bans/${number}`),
  reports: (resolved: boolean, page: number) => request<ReportView[]>('GET', `/api/admin/reports?resolved=${resolved}&page=${page}`),
  resolve: (number: number, resolution: string) => request<ReportView>('POST', `/api/admin/reports/${number}`, { resolution }),
  words: () => request<{ words: string[] }>('GET', '/api/admin/filter'),
  changeWords: (change: { add?: string[]; remove?: string[] }) => request<{ words: string[] }>('PATCH', '/api/admin/filter', change),
  quarantine: () => request<QuarantineView[]>('GET', '/api/admin/quarantine'),
  retry: (id: string) => request<TableView>('POST', `/api/admin/quarantine/${at(id)}`, {}),
  drop: (id: string) => request<QuarantineView[]>('DELETE', `/api/admin/quarantine/${at(id)}`),
  actions: (page: number) => request<ActionView[]>('GET', `/api/admin/actions?page=${page}`),
};
