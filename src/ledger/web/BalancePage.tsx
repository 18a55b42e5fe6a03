export const BalancePage = () => <h1>Balance</h1>
