/** What the hub does, and what only the sandbox does. */
export function ReplayRules({
  what,
  shuffled,
}: {
  what: 'again' | 'duplicates'
  shuffled: boolean
}) {
  return (
    <div className="flex flex-col gap-1.5 rounded-lg bg-sunken p-3 text-xs text-muted">
      <p>
        <strong>On the hub</strong> one delivery is replayed at a time: the same body and
        Webhook-Id, to the present address with the present secret. It has no replay of several, no
        duplicates and no shuffling.
      </p>
      <p>
        <strong>Here</strong>{' '}
        {what === 'again'
          ? 'each is sent once more with its own Webhook-Id, so a receiver that handles an id once ignores it.'
          : 'each duplicate is a new delivery with a Webhook-Id of its own, so a receiver that only looks at ids handles it again.'}{' '}
        Up to four at a time go to a webhook, one where it is ordered. None is retried, and none
        uses the quota.
        {shuffled && ' The order comes from the ids of the sandbox: a seed repeats it.'}
      </p>
    </div>
  )
}
