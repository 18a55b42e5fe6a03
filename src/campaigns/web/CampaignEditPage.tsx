export const CampaignEditPage = () => <h1>Edit campaign</h1>
