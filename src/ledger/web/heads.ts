/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const paymentsHead = { title: 'Payments', description: 'Your campaign payments and refunds.' }
export const balanceHead = { title: 'Balance and Earnings' }
