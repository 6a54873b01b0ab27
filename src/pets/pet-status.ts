export enum PetStatus {
  available = 'available',
  pending = 'pending',
  sold = 'sold',
}
