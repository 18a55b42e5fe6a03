/** The part of notifications that other slices and the top bar use. */
export { Bell } from './Bell.tsx'
