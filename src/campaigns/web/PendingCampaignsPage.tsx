export const PendingCampaignsPage = () => <h1>Pending approvals</h1>
