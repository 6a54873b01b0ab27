const STATUSES = ['available', 'pending', 'sold', null];

/** The pet with this id in every database, computed so that responses can be checked byte for byte. */
export const petOf = (id) => ({
  id,
  name: `Pet number ${id}`,
  categoryId: (id % 50) + 1,
  status: STATUSES[id % STATUSES.length],
});

/** A pet as the contract defines it: members in the contract's order, a missing `status` left out. */
export const toJson = (pet) => JSON.stringify({ ...pet, status: pet.status ?? undefined });

export const pageFrom = (firstId, limit) =>
  `[${Array.from({ length: limit }, (_, index) => toJson(petOf(firstId + index))).join(',')}]`;
