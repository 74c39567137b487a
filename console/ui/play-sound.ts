let context: AudioContext | undefined

/** Plays two soft tones. */
export function playSound(): void {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  void context.resume()
  for (const [at, frequency] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, currentTime + at)
    volume.gain.exponentialRampToValueAtTime(0.12, currentTime + at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, currentTime + at + 0.3)
    tone.connect(volume).connect(destination)
    tone.start(currentTime + at)
    tone.stop(currentTime + at + 0.32)
  }
}
