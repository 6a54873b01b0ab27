const STATUSES = ['available', 'pending', 'sold', null];

/** The pet every database holds under this id: known without asking, so that answers can be checked to the byte. */
export const petOf = (id) => ({
  id,
  name: `Pet number ${id}`,
  categoryId: (id % 50) + 1,
  status: STATUSES[id % STATUSES.length],
});

/** A pet as the contract writes it: members in the contract's order, no `status` where there is none. */
export const toJson = (pet) => JSON.stringify({ ...pet, status: pet.status ?? undefined });

export const pageFrom = (firstId, limit) =>
  `[${Array.from({ length: limit }, (_, index) => toJson(petOf(firstId + index))).join(',')}]`;
