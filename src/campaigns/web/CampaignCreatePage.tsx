export const CampaignCreatePage = () => <h1>Create campaign</h1>
