import { useState } from 'react'

const hues = [20, 60, 100, 150, 190, 225, 270, 320]

/** Picture, or the first letter on a colour derived from the name. */
export function Avatar({
  name,
  url,
  className = 'size-5',
}: {
  name: string
  url?: string | undefined
  className?: string
}) {
  const [broken, setBroken] = useState<string>()
  if (url && url !== broken) {
    return (
      <img
        src={url}
        alt=""
        onError={() => setBroken(url)}
        className={`shrink-0 rounded-full bg-sunken object-cover ${className}`}
      />
    )
  }
  let sum = 0
  for (const character of name) sum += character.codePointAt(0) ?? 0
  return (
    <span
      aria-hidden="true"
      style={{ background: `oklch(0.5 0.08 ${hues[sum % hues.length] ?? 0})` }}
      className={`grid shrink-0 place-items-center rounded-full text-2xs font-semibold text-[#fff] uppercase ${className}`}
    >
      {name.slice(0, 1)}
    </span>
  )
}
