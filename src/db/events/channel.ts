/** The PostgreSQL channel on which companies with new events are named. Only the sealer of events notifies. */
export const EVENTS_CHANNEL = 'escrow_events';
