/** The memory for the data of one connection, which a client may use up by sending or reading slowly. */
export interface RequestMemory {
  /** Throws Overloaded when there is no room for a large text. */
  assertRoomFor(bytes: number): void;
  /** False when there is no room for a body of this length. `reject` is called if the client loses its room later. */
  startBody(length: number, reject: () => void): boolean;
  /** False when there is no room for a chunk. A body is held until its request has been answered. */
  addToBody(length: number): boolean;
  endBody(): void;
}
