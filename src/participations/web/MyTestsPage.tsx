export const MyTestsPage = () => <h1>My tests</h1>
