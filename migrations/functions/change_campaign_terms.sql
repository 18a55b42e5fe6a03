-- New terms turn a draft or a rejected campaign into a draft. p_quoted_fee is the fee for the new terms; what was paid in beyond
-- them is refunded.
create or replace function change_campaign_terms(p_campaign uuid, p_platform text, p_testers int, p_pay bigint,
  p_days int, p_quoted_fee bigint, p_daily_check_in boolean, p_countries text[], p_country_codes text[],
  p_min_android text, p_min_ios text, p_title text, p_description text, p_link text,
  p_access_mode text, p_group_link text, p_features text[], p_refund uuid, p_now timestamptz)
  returns text language plpgsql as $$
begin
  update campaigns set platform = p_platform, testers_required = p_testers, pay_per_tester_cents = p_pay,
    duration_days = p_days, quoted_fee_cents = p_quoted_fee, daily_check_in = p_daily_check_in,
    countries = p_countries, country_codes = p_country_codes, min_android_version = p_min_android,
    min_ios_version = p_min_ios, title = p_title, description = p_description, distribution_link = p_link,
    access_mode = p_access_mode, group_link = p_group_link, features = p_features,
    status = 'DRAFT', status_changed_at = p_now, rejection_reason = null
    where id = p_campaign and status in ('DRAFT', 'REJECTED');
  if not found then return 'WRONG_STATE'; end if;
  perform refund_surplus(p_refund, p_campaign, p_testers * p_pay, p_quoted_fee, p_now);
  return 'OK';
end $$;
