export const CampaignsPage = () => <h1>Campaigns</h1>
