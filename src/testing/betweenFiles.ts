/** Runs before each file of tests on a database: one that starts servers or pools of its own finds none of the shared application. */
import { expect } from 'vitest'
import { stopSharedApp } from './start.ts'
import { sharesApplication } from './sharing.ts'

const { testPath } = expect.getState()
if (testPath === undefined || !sharesApplication(testPath)) await stopSharedApp()
