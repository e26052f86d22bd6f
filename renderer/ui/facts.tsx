import type { ReactNode } from 'react'

/** Names and values under each other. Those without a value are left out. */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(5.5rem,max-content)_1fr] gap-x-4 gap-y-1.5 text-sm">
      {items
        .filter(
          ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
        )
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-xs leading-5 text-faint">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
