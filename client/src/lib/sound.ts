// Short, soft, synthesised sounds; off by default.
import type { GameEvent } from './board';
import { prefs } from './prefs.svelte';

export type Sound = 'wood' | 'paper' | 'water' | 'dice' | 'bell';

let context: AudioContext | null = null;

function noise(audio: AudioContext, at: number, length: number, frequency: number, loud: number, q = 1): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = frequency;
  filter.Q.value = q;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}

function tone(audio: AudioContext, at: number, from: number, to: number, length: number, loud: number): void {
  const source = audio.createOscillator();
  const gain = audio.createGain();
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

export function play(sound: Sound): void {
  if (!prefs.sound || typeof AudioContext === 'undefined') return;
  // Browsers block sound until the person has interacted with the page, and what is started before stays silent.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const audio = context;
  if (audio.state === 'suspended') void audio.resume();
  const now = audio.currentTime;
  if (sound === 'wood') {
    noise(audio, now, 0.06, 900, 0.5, 4);
    tone(audio, now, 320, 180, 0.09, 0.12);
  } else if (sound === 'paper') noise(audio, now, 0.14, 3800, 0.12);
  else if (sound === 'water') {
    tone(audio, now, 380, 900, 0.11, 0.1);
    tone(audio, now + 0.09, 300, 640, 0.09, 0.05);
  } else if (sound === 'dice') for (let i = 0; i < 5; i += 1) noise(audio, now + i * 0.055 + Math.random() * 0.02, 0.035, 1500 + Math.random() * 900, 0.35, 3);
  else {
    tone(audio, now, 660, 655, 0.9, 0.06);
    tone(audio, now, 1320, 1310, 0.5, 0.02);
  }
}

export function playFor(events: GameEvent[], sounds: Record<string, Sound> = {}): void {
  const last = events.at(-1);
  if (last && prefs.sound) play(sounds[last.type] ?? 'paper');
}
