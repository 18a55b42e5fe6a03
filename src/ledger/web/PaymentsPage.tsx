export const PaymentsPage = () => <h1>Payments</h1>
