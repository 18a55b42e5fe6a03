/**
 * In what the document shows before the screen's code has loaded: the place of a field of the server's answer, for example
 * `campaign.title`. public/shell.js fills it in, and `:campaign.title` in the address of a link.
 */
export const Said = ({ field }: { field: string }) => <span data-field={field} />
