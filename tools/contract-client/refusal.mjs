/** A construct of the contract that the client cannot honour. */
export class Refusal extends Error {}

/** `place` is the way to the construct in the document, such as `paths./pets.get`. */
export function refuse(place, reason) {
  throw new Refusal(`openapi.yaml ${place}: ${reason}.`);
}
