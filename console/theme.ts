import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
]

/** Red shades. White text is readable on the two that fill buttons: 4 on dark pages, 6 on light ones. */
const red: MantineColorsTuple = [
  '#fdecea',
  '#fbd5d0',
  '#f5a9a0',
  '#ea7a6e',
  '#c0392b',
  '#bd2d20',
  '#b42318',
  '#961c12',
  '#78160e',
  '#5c110b',
]

/** A slightly warm gray. */
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f3f0',
  '#eae8e4',
  '#dedbd5',
  '#cbc7c0',
  '#a8a39b',
  '#7d7870',
  '#57534d',
  '#3b3833',
  '#25231f',
]

/** Shades from text to background: Mantine takes 0 for text, 4 for borders, 6 for fields and 7 for the page. */
const dark: MantineColorsTuple = [
  '#e6e8ec',
  '#b6bac3',
  '#9aa0ab',
  '#6d7480',
  '#2d323c',
  '#242830',
  '#1a1d24',
  '#111318',
  '#0c0e12',
  '#08090c',
]

/** The look of the console: one accent, hairlines in place of shadows, one scale of font sizes. */
export const theme = createTheme({
  // The head of a dialog is not that of the page.
  components: { ModalHeader: { defaultProps: { role: 'presentation' } } },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  // The accent is dark on light pages and light on dark ones; text on it is the other way round.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    const isAccent = input.variant === 'filled' && (input.color ?? input.theme.primaryColor) === 'accent'
    return isAccent ? { ...resolved, color: 'var(--parley-on-accent)' } : resolved
  },
  colors: { accent, red, gray, dark },
  // The system's fonts fill in for characters that the font lacks.
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  // In order: labels, secondary text, text, headings of parts, titles of pages. Controls take `sm`.
  fontSizes: { xs: '12px', secondary: '13px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', secondary: '18px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  // Bold is for the one thing in a block that leads the eye, medium for controls and names of fields.
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** The variables for which Mantine's own choice would be too faint to read. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--parley-on-accent': '#ffffff',
    '--mantine-color-dimmed': '#65605a',
    '--mantine-color-placeholder': '#716c65',
    '--mantine-color-error': '#b42318',
    '--mantine-color-red-outline': '#b42318',
    '--mantine-color-text': '#1f1d1a',
    '--mantine-color-default-border': '#dedbd5',
    '--parley-raised': '#ffffff',
    '--parley-ground': '#fbfaf9',
    '--parley-hover': '#f4f3f0',
    '--parley-user': '#efede9',
    '--parley-operator': '#eef2ff',
    '--parley-note': '#fdf6d8',
    '--parley-note-edge': '#cdb866',
    '--parley-amber': '#8a5300',
    '--parley-amber-ground': '#fff3d6',
    '--parley-red': '#b42318',
    '--parley-red-ground': '#fdecea',
    '--parley-green': '#1a6b3c',
    '--parley-green-ground': '#e5f5ea',
  },
  dark: {
    '--parley-on-accent': '#111318',
    '--mantine-color-accent-filled-hover': '#a5b4fc',
    '--mantine-color-dimmed': '#9aa0ab',
    '--mantine-color-placeholder': '#8d939e',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-red-outline': '#ff8a80',
    '--mantine-color-text': '#e6e8ec',
    '--mantine-color-default-border': '#2d323c',
    '--mantine-color-disabled': '#242830',
    '--mantine-color-disabled-color': '#7d848f',
    '--parley-raised': '#1a1d24',
    '--parley-ground': '#111318',
    '--parley-hover': '#20242c',
    '--parley-user': '#242830',
    '--parley-operator': '#232747',
    '--parley-note': '#2c2a1c',
    '--parley-note-edge': '#7d7136',
    '--parley-amber': '#f2c063',
    '--parley-amber-ground': '#33290f',
    '--parley-red': '#ff8a80',
    '--parley-red-ground': '#3a1a18',
    '--parley-green': '#7fd6a0',
    '--parley-green-ground': '#15301f',
  },
})
