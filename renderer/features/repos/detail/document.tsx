/**
 * Rendered Markdown.
 * @param html from the control API, which lets neither scripts nor foreign markup through
 */
export function Document({ html }: { html: string }) {
  // oxlint-disable-next-line react/no-danger
  return <div className="document" dangerouslySetInnerHTML={{ __html: html }} />
}
