/** Why the platform does not pay yet for an appeal that nobody decided, to be put behind "because" or a colon. Pure. */

/** To admins. */
export const holdWords = {
  FRAUD: 'an open fraud report of high or critical severity names the tester or the developer',
  SUSPENDED: 'the tester is suspended',
  DEVELOPER_LIMIT: 'that would exceed the monthly limit of goodwill pay for the developer',
  TOTAL_LIMIT: 'that would exceed the monthly limit of goodwill pay',
  REVENUE: 'the platform has not earned enough yet',
}

/** To the tester and the developer: neither whom a report names, nor how much the platform has earned. */
export const publicHoldWords = {
  CHECK: 'our team has to finish a check first',
  LIMIT: 'our monthly budget for such cases does not cover it',
}
