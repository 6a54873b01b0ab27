/** The memory for the data of one connection, which a client may use up by sending or reading slowly. */
export interface RequestMemory {
  /** Whether there is room for so many bytes. */
  hasRoomFor(bytes: number): boolean;
  /** False when there is no room for a body of this length. `reject` is called if the client loses its room later. */
  startBody(length: number, reject: () => void): boolean;
  /** False when there is no room for a chunk. A body is held until its request has been answered. */
  addToBody(length: number): boolean;
  endBody(): void;
}
