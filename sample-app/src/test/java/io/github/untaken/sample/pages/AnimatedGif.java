package io.github.untaken.sample.pages;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Pictures of one size, one after the other, for ever: each as the part of it that differs from the one before. */
final class AnimatedGif {
    private static final int COLOURS = 255;
    private static final int SEE_THROUGH = 255;
    /** From one picture to the next. */
    private static final long LEAST_MILLIS = 150;
    /** That the last one stays. */
    private static final long LAST_MILLIS = 1_500;
    /** Of 8 bits of each colour, the highest: shades that differ by less are one. */
    private static final int SHADES = 0xF8F8F8;

    private record Frame(int[] pixels, long atMillis) {}

    private final List<Frame> frames = new ArrayList<>();
    private final int top;
    private final int height;
    private int width;

    /** Of pictures that are at least so high, the part from one line to another. */
    AnimatedGif(int top, int bottom) {
        this.top = top;
        this.height = bottom - top;
    }

    /** Unless it comes too soon after the one before. */
    void add(byte[] png, long atMillis) {
        if (!frames.isEmpty() && atMillis - frames.get(frames.size() - 1).atMillis() < LEAST_MILLIS) {
            return;
        }
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
            width = image.getWidth();
            frames.add(new Frame(image.getRGB(0, top, width, height, null, 0, width), atMillis));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Milliseconds from the first to the last. */
    long lasts() {
        return frames.isEmpty()
                ? 0
                : frames.get(frames.size() - 1).atMillis() - frames.get(0).atMillis();
    }

    void write(Path file) throws IOException {
        int[] palette = palette();
        IndexColorModel colours = new IndexColorModel(8, COLOURS + 1, palette, 0, false, SEE_THROUGH, 0);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(Files.newOutputStream(file))) {
            writer.setOutput(out);
            writer.prepareWriteSequence(coloured(writer, palette));
            Map<Integer, Byte> known = new HashMap<>();
            int[] shown = new int[0];
            for (int i = 0; i < frames.size(); i++) {
                Frame frame = frames.get(i);
                long until = i + 1 < frames.size() ? frames.get(i + 1).atMillis() : frame.atMillis() + LAST_MILLIS;
                Rectangle part = i == 0 ? new Rectangle(width, height) : changed(shown, frame.pixels());
                BufferedImage image =
                        new BufferedImage(part.width, part.height, BufferedImage.TYPE_BYTE_INDEXED, colours);
                for (int y = 0; y < part.height; y++) {
                    for (int x = 0; x < part.width; x++) {
                        int at = (part.y + y) * width + part.x + x;
                        int index = i > 0 && shown[at] == frame.pixels()[at]
                                ? SEE_THROUGH
                                : known.computeIfAbsent(frame.pixels()[at], rgb -> nearest(palette, rgb)) & 0xFF;
                        image.getRaster().setSample(x, y, 0, index);
                    }
                }
                writer.writeToSequence(
                        new IIOImage(image, null, described(writer, image, part, until - frame.atMillis(), i == 0)),
                        null);
                shown = frame.pixels();
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    /** One pixel at least. */
    private Rectangle changed(int[] before, int[] now) {
        Rectangle all = null;
        for (int at = 0; at < now.length; at++) {
            if (before[at] != now[at]) {
                Rectangle pixel = new Rectangle(at % width, at / width, 1, 1);
                all = all == null ? pixel : all.union(pixel);
            }
        }
        return all == null ? new Rectangle(1, 1) : all;
    }

    /** The most frequent colours, of those that are nearly alike one. */
    private int[] palette() {
        Map<Integer, Map<Integer, Integer>> alike = new HashMap<>();
        for (Frame frame : frames) {
            for (int rgb : frame.pixels()) {
                alike.computeIfAbsent(rgb & SHADES, shade -> new HashMap<>()).merge(rgb, 1, Integer::sum);
            }
        }
        int[] palette = new int[COLOURS + 1];
        List<Map<Integer, Integer>> shades = alike.values().stream()
                .sorted(Comparator.comparingLong((Map<Integer, Integer> shade) -> shade.values().stream()
                                .mapToLong(Integer::longValue)
                                .sum())
                        .reversed())
                .limit(COLOURS)
                .toList();
        for (int i = 0; i < shades.size(); i++) {
            palette[i] = shades.get(i).entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .orElseThrow()
                    .getKey();
        }
        return palette;
    }

    private static byte nearest(int[] palette, int rgb) {
        int best = 0;
        int distance = Integer.MAX_VALUE;
        for (int i = 0; i < COLOURS; i++) {
            int red = (palette[i] >> 16 & 0xFF) - (rgb >> 16 & 0xFF);
            int green = (palette[i] >> 8 & 0xFF) - (rgb >> 8 & 0xFF);
            int blue = (palette[i] & 0xFF) - (rgb & 0xFF);
            int squares = red * red + green * green + blue * blue;
            if (squares < distance) {
                distance = squares;
                best = i;
            }
        }
        return (byte) best;
    }

    private static IIOMetadata coloured(ImageWriter writer, int[] palette) throws IOException {
        IIOMetadata stream = writer.getDefaultStreamMetadata(null);
        String format = stream.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) stream.getAsTree(format);
        IIOMetadataNode table = child(root, "GlobalColorTable");
        table.setAttribute("sizeOfGlobalColorTable", String.valueOf(palette.length));
        table.setAttribute("backgroundColorIndex", "0");
        table.setAttribute("sortFlag", "FALSE");
        while (table.hasChildNodes()) {
            table.removeChild(table.getFirstChild());
        }
        for (int i = 0; i < palette.length; i++) {
            IIOMetadataNode entry = new IIOMetadataNode("ColorTableEntry");
            entry.setAttribute("index", String.valueOf(i));
            entry.setAttribute("red", String.valueOf(palette[i] >> 16 & 0xFF));
            entry.setAttribute("green", String.valueOf(palette[i] >> 8 & 0xFF));
            entry.setAttribute("blue", String.valueOf(palette[i] & 0xFF));
            table.appendChild(entry);
        }
        stream.setFromTree(format, root);
        return stream;
    }

    private static IIOMetadata described(
            ImageWriter writer, BufferedImage image, Rectangle part, long millis, boolean first) throws IOException {
        IIOMetadata described = writer.getDefaultImageMetadata(new ImageTypeSpecifier(image), null);
        String format = described.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) described.getAsTree(format);
        IIOMetadataNode place = child(root, "ImageDescriptor");
        place.setAttribute("imageLeftPosition", String.valueOf(part.x));
        place.setAttribute("imageTopPosition", String.valueOf(part.y));
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "doNotDispose");
        control.setAttribute("delayTime", String.valueOf(Math.max(2, Math.round(millis / 10.0))));
        control.setAttribute("transparentColorFlag", first ? "FALSE" : "TRUE");
        control.setAttribute("transparentColorIndex", String.valueOf(SEE_THROUGH));
        if (first) {
            IIOMetadataNode again = new IIOMetadataNode("ApplicationExtension");
            again.setAttribute("applicationID", "NETSCAPE");
            again.setAttribute("authenticationCode", "2.0");
            again.setUserObject(new byte[] {1, 0, 0}); // without an end
            child(root, "ApplicationExtensions").appendChild(again);
        }
        described.setFromTree(format, root);
        return described;
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode made = new IIOMetadataNode(name);
        root.appendChild(made);
        return made;
    }
}
