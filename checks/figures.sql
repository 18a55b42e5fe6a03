-- The roll-ups of the dashboards' figures, with the changes that are not in them yet, say what the full count says.
select 'platform_figures' as roll_up, to_jsonb(off) as off from platform_figures_off('-infinity', 'infinity') off
union all
select 'verified_tests', to_jsonb(off) from verified_tests_off('-infinity', 'infinity') off
union all
select 'developer_figures', to_jsonb(off) from developer_figures_off('-infinity', 'infinity') off
union all
select 'campaign_revenue', to_jsonb(off) from campaign_revenue_off('-infinity', 'infinity') off;
