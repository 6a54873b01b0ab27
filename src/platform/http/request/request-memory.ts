/** Throws Overloaded when there is no room for a large response, unless it tells of a change, which was carried out by then. */
export function assertRoomForResponse({ method, memory }: Reading, bytes: number): void {
  if (method === 'GET' || method === 'HEAD') memory?.assertRoomFor(bytes);
}

interface Reading {
  readonly method: string;
  readonly memory?: RequestMemory;
}

/** The memory for the data of one connection, which a client may use up by sending or reading slowly. */
export interface RequestMemory {
  /** Throws Overloaded when there is no room for a large text. */
  assertRoomFor(bytes: number): void;
  /** False when there is no room for a body of this length. `reject` is called if the client loses its room later. */
  startBody(length: number, reject: () => void): boolean;
  /**
   * False when there is no room for so many bytes of the request's body, or of a response that is not sent yet, or when
   * the connection is closed. They are held until the request has been answered.
   */
  hold(length: number): boolean;
  endBody(): void;
}
