/** What other slices' screens, and the top bar, use of notifications. */
export { Bell } from './Bell.tsx'
