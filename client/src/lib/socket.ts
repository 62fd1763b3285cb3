// The part of the WebSocket interface that we use.
export interface SocketLike {
  readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

/** A socket that is still connecting is closed once it is open: browsers log an error otherwise. */
export function closeSocket(socket: SocketLike): void {
  if (socket.readyState === 0) socket.onopen = () => socket.close();
  else if (socket.readyState === 1) socket.close();
}
