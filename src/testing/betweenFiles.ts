/** Runs before each test file on a database: stops the shared application if the file starts servers or pools of its own. */
import { expect } from 'vitest'
import { stopSharedApp } from './start.ts'
import { sharesApplication } from './sharing.ts'

const { testPath } = expect.getState()
if (testPath === undefined || !sharesApplication(testPath)) await stopSharedApp()
