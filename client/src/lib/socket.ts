// What we need of a WebSocket.
export interface SocketLike {
  readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

/** A socket that is still being opened is closed then: browsers complain about one that is closed before. */
export function closeSocket(socket: SocketLike): void {
  if (socket.readyState === 0) socket.onopen = () => socket.close();
  else if (socket.readyState === 1) socket.close();
}
