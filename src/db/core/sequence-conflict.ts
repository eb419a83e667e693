/** Undoes a step of an escrow, a payment link or a withdrawal that others were faster than. */
export class WroteFirst extends Error {}
