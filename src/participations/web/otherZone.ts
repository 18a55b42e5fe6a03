import { ownTimeZone, readerZone } from '../../kit/clock.ts'

/** Whether days of this zone may not be those of the reader. */
export const isOtherZone = (timeZone: string): boolean => timeZone !== (readerZone() ?? ownTimeZone())
