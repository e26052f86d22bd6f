import { Providers } from './providers.tsx'
import { Pages } from './pages.tsx'
import { Shell } from './shell.tsx'

export function App() {
  return (
    <Providers>
      <Shell>
        <Pages />
      </Shell>
    </Providers>
  )
}
