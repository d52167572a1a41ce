package io.github.untaken.sample.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnimatedGifTest {
    private static final Color PAPER = new Color(0xF6F7F5);
    private static final Color BRAND = new Color(0x0B6B58);

    @TempDir
    private Path folder;

    private static byte[] page(int dotAt) throws Exception {
        BufferedImage image = new BufferedImage(100, 40, BufferedImage.TYPE_INT_RGB);
        Graphics2D drawn = image.createGraphics();
        drawn.setColor(PAPER);
        drawn.fillRect(0, 0, 100, 40);
        drawn.setColor(BRAND);
        drawn.fillRect(dotAt, 20, 4, 4);
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);
        return png.toByteArray();
    }

    @Test
    void keepsTheColoursAndHoldsOnlyWhatHasChanged() throws Exception {
        AnimatedGif gif = new AnimatedGif(4, 36);
        gif.add(page(10), 1_000);
        gif.add(page(70), 1_050); // too soon
        gif.add(page(30), 1_200);
        assertThat(gif.lasts()).isEqualTo(200);
        Path file = folder.resolve("two.gif");
        gif.write(file);
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        reader.setInput(ImageIO.createImageInputStream(file.toFile()));
        assertThat(reader.getNumImages(true)).isEqualTo(2);
        BufferedImage first = reader.read(0);
        assertThat(first.getHeight()).isEqualTo(32);
        assertThat(new Color(first.getRGB(0, 0))).isEqualTo(PAPER);
        assertThat(new Color(first.getRGB(11, 17))).isEqualTo(BRAND);
        BufferedImage second = reader.read(1);
        assertThat(second.getWidth()).as("from one dot to the other").isEqualTo(24);
        assertThat(new Color(second.getRGB(0, 0))).isEqualTo(PAPER);
        assertThat(new Color(second.getRGB(20, 0))).isEqualTo(BRAND);
        assertThat(second.getRGB(10, 0) >>> 24)
                .as("what has not changed is not drawn")
                .isZero();
    }
}
