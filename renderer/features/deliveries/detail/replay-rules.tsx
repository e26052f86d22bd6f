import { words } from '../words.ts'

/** Replay rules of the Hub, and those only the sandbox has. */
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
        <strong>On the Hub</strong> {words.hubReplayRules}
      </p>
      <p>
        <strong>Here</strong> {what === 'again' ? words.replaysKeepIds : words.duplicatesHaveIds}{' '}
        {words.replayConcurrency}
        {shuffled && ` The order follows from the ids: the same seed repeats it.`}
      </p>
    </div>
  )
}
