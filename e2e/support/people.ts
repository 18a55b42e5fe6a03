/** Who takes part in the journeys. */
export const password = 'correct horse battery'
export const adminEmail = 'admin@journeys.test'
