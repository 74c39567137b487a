import { Box } from '@mantine/core'
import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Refusal } from '../api/client.ts'
import { loadScript, loadShown } from '../api/load-script.ts'
import { Failure } from './Failure.tsx'
import { Waiting } from './Loaded.tsx'
import { notifyFailure } from './notify.ts'
import { useRefusalText } from './refusal-text.ts'

export type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>
type FailureShown = BoundaryProps['failureShown']

const USES = ['online', 'pointerdown', 'keydown']

/**
 * Makes a component whose script loads when it is first shown. If the script is missing or the component fails, the
 * rest of the page stays as it is, and the failure is shown.
 * @param failureShown the place of the failure: that of the part, with a way to try again, or a notice if it has none
 */
export function lazyPart<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  failureShown: FailureShown = 'in place',
): (props: Props) => ReactNode {
  return part(load, name, failureShown).Part
}

/** Makes the page of a route, which the router can preload. The router handles failures other than missing scripts. */
export function lazyPage<Name extends string>(load: Load<Name, object>, name: Name) {
  const { Part, found } = part(load, name, 'by the router')
  const Page = () => (
    <Suspense fallback={<Waiting />}>
      <Part />
    </Suspense>
  )
  // A page that cannot be preloaded is loaded when it is shown.
  const preload = () => loadScript(load).then(found, () => {})
  return Object.assign(Page, { preload })
}

function part<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  failureShown: FailureShown,
) {
  const ask = (): ComponentType<Props> =>
    lazy<ComponentType<Props>>(async () => ({ default: (await loadShown(load))[name] }))
  let latest = ask()
  function Part(props: Props) {
    const [Shown, show] = useState(() => latest)
    // React keeps the failure of a lazy component, so the next one that is mounted asks anew.
    const lost = () => {
      latest = ask()
    }
    return (
      <Boundary
        failureShown={failureShown}
        onLost={lost}
        onRetry={() => show(() => latest)}
        load={() => loadScript(load).then(found)}
      >
        {createElement(Shown, props)}
      </Boundary>
    )
  }
  const found = (module: Record<Name, ComponentType<Props>>) => {
    latest = module[name]
  }
  return { Part, found }
}

interface BoundaryProps {
  children: ReactNode
  failureShown: 'in place' | 'in a notice' | 'by the router'
  onLost: () => void
  onRetry: () => void
  /** Loads the script before the next `onRetry`. */
  load: () => Promise<void>
}

/** Keeps a failing part from breaking the whole page. */
class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch() {
    this.props.onLost()
  }

  override render() {
    const { children, failureShown, onRetry, load } = this.props
    const { error } = this.state
    if (error === null) return children
    const isMissing = error instanceof Refusal && error.code === 'script_missing'
    const retry = () => {
      this.setState({ error: null })
      onRetry()
    }
    if (failureShown === 'in a notice')
      return (
        <>
          <FailureNotice error={error} />
          {isMissing ? <LoadAtNextUse load={load} onLoaded={retry} /> : null}
        </>
      )
    if (failureShown === 'by the router' && !isMissing) throw error
    return (
      <Box p="xs" maw={640}>
        <Failure error={error} onRetry={retry} />
      </Box>
    )
  }
}

function FailureNotice({ error }: { error: unknown }) {
  const text = useRefusalText()(error)
  useEffect(() => notifyFailure(text), [text])
  return null
}

/** Loads an invisible part again at the person's next action, because the action may be meant for it. */
function LoadAtNextUse({ load, onLoaded }: { load: () => Promise<void>; onLoaded: () => void }) {
  const latest = useRef({ load, onLoaded })
  useEffect(() => {
    let isLoading = false
    const { load, onLoaded } = latest.current
    const again = () => {
      if (isLoading) return
      isLoading = true
      load()
        .then(onLoaded, () => {})
        .finally(() => {
          isLoading = false
        })
    }
    for (const use of USES) addEventListener(use, again)
    return () => {
      for (const use of USES) removeEventListener(use, again)
    }
  }, [])
  return null
}
