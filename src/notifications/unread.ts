/** So many unread notifications are counted at most. */
export const mostUnread = 100
