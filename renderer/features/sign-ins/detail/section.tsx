import type { ReactNode } from 'react'

/** Section of the details. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2 border-t border-line px-4 py-3 [header+&]:border-0">
      <h4 className="eyebrow">{title}</h4>
      {children}
    </section>
  )
}
