// The lobby, kept up to date while the front page is open.
import { backoff } from './backoff';
import { loadMe, myself } from './me.svelte';
import type { Lobby, LobbyUpdate } from './protocol';
import { closeSocket } from './socket';

let lobby = $state.raw<Lobby | null>(null);
/** The person whose games are marked in it. */
let owner = '';
export const lobbyNow = (): Lobby | null => lobby;

/** Call in `$effect`. */
export function watchLobby(): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let stopped = false;

  const connect = (): void => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}/ws/lobby`);
    socket.onmessage = (event) => {
      attempts = 0;
      const message = JSON.parse(String(event.data)) as LobbyUpdate;
      if (message.type !== 'lobby') return;
      lobby = message;
      owner = myself()?.who ?? '';
    };
    socket.onclose = () => {
      if (stopped) return;
      timer = setTimeout(connect, backoff(attempts));
      attempts += 1;
    };
  };
  // The lobby marks our own games, so it depends on who we are.
  if (owner !== (myself()?.who ?? '')) lobby = null;
  void loadMe().then(() => {
    if (!stopped) connect();
  });
  return () => {
    stopped = true;
    clearTimeout(timer);
    if (socket) closeSocket(socket);
  };
}
