-- No seat is offered while a campaign is paused or its payment is disputed: the line stays, and is asked again when it goes on.
drop trigger campaigns_offers_withdrawn on campaigns;
create trigger campaigns_offers_withdrawn before update of status, disputed_since on campaigns for each row
  when (old.offered_seats > 0 and (old.status = 'LIVE' and new.status <> 'LIVE'
    or old.disputed_since is null and new.disputed_since is not null)) execute function withdraw_offers();
