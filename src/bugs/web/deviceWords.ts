import { deviceName } from '../../kit/words.ts'
import { platformNames } from '../../campaigns/terms.ts'
import type { BugSummary } from '../contract.ts'

/** "Google Pixel 8, Android 14, app 1.1". */
export const deviceWords = ({ device, appVersion }: Pick<BugSummary, 'device' | 'appVersion'>): string =>
  [
    deviceName(device),
    [device.platform && platformNames[device.platform], device.osVersion].filter(Boolean).join(' '),
    appVersion && `app ${appVersion}`,
  ]
    .filter(Boolean)
    .join(', ')
