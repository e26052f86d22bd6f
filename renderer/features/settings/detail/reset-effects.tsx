import { useResetComparison } from '../model/requests.ts'
import { resetEffects } from '../model/reset-effects.ts'
import { words } from '../words.ts'

/** Names what a reset deletes, changes back and brings back. */
export function ResetEffects() {
  const { data, isError } = useResetComparison()
  // The reset itself reports a sandbox that does not respond.
  if (isError) return null
  if (data === undefined) return <p className="mt-2">{words.comparing}</p>
  const effects = resetEffects(data)
  if (effects.length === 0) return <p className="mt-2">{words.nothingToReset}</p>
  return (
    <dl className="mt-2 flex flex-col gap-2">
      {effects.map(({ title, items }) => (
        <div key={title}>
          <dt className="font-medium text-ink">{title}</dt>
          {items.map((item) => (
            <dd key={item} className="break-words">
              {item}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
