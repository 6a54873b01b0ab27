/** A construct of the contract that the client cannot honour. */
export class Refusal extends Error {}

/** `place` is the way to the construct in the document, such as `paths./pets.get`. */
export function refuse(place, reason) {
  throw new Refusal(`openapi.yaml ${place}: ${reason}.`);
}

/** What `read` returns; `instead` after a refusal, whose message `report` gets. */
export function unlessRefused(read, instead, report) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report(error.message);
    return instead;
  }
}
