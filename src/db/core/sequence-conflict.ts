/** Thrown to roll back a step of an entity when another transaction wrote that sequence number first. */
export class SequenceConflict extends Error {}
