export const CampaignPage = () => <h1>Campaign</h1>
